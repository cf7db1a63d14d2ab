varview patch 1
sum 9c6bc7ac937d2daffe5ecdbe7eb3a59a
move $[2]
= $[0]
@ 2
> 0
- 3
sum 3d605fee53263ad51d1bc5d18e590b6e
