//go:build !windows

package winetest

func isWine() bool { return false }
