/* bcryptprimitives.dll for Wine 8, which Go loads into every program.

It exports ProcessPrng, which Go needs for random numbers. And it makes NtSetInformationFile say of kinds of information that
Wine has not implemented that the file system has not got them, so that Go, as on FAT, deletes in the older way. */
#include <windows.h>
#include <winternl.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T n) { return SystemFunction036(bytes, n); }

typedef NTSTATUS(NTAPI *setInformation)(HANDLE, PIO_STATUS_BLOCK, PVOID, ULONG, ULONG);
static setInformation original;

static NTSTATUS NTAPI set(HANDLE file, PIO_STATUS_BLOCK io, PVOID info, ULONG size, ULONG kind) {
	NTSTATUS status = original(file, io, info, size, kind);
	return status == 0xC0000002 ? 0xC00000BB : status; /* NOT_IMPLEMENTED, NOT_SUPPORTED */
}

BOOL WINAPI DllMain(HINSTANCE dll, DWORD why, LPVOID reserved) {
	if (why != DLL_PROCESS_ATTACH) return TRUE;
	BYTE *at = (BYTE *)GetProcAddress(GetModuleHandleA("ntdll"), "NtSetInformationFile");
	BYTE *copy = VirtualAlloc(NULL, 32, MEM_COMMIT | MEM_RESERVE, PAGE_EXECUTE_READWRITE);
	DWORD before;
	memcpy(copy, at, 32); /* a system call is shorter, and jumps only within itself */
	original = (setInformation)copy;
	VirtualProtect(at, 16, PAGE_EXECUTE_READWRITE, &before);
	at[0] = 0x48; at[1] = 0xB8; /* mov rax, set */
	*(void **)(at + 2) = set;
	at[10] = 0xFF; at[11] = 0xE0; /* jmp rax */
	return VirtualProtect(at, 16, before, &before);
}
