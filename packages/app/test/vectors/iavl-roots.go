// Prints the roots of iavl-roots.json: `go mod init vectors && go get github.com/cosmos/iavl@v1.2.2 && go run iavl-roots.go`, in an empty folder.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"cosmossdk.io/log"
	"github.com/cosmos/iavl"
	dbm "github.com/cosmos/iavl/db"
)

func main() {
	tree := iavl.NewMutableTree(dbm.NewMemDB(), 1000, false, log.NewNopLogger())
	seed := uint32(7)
	next := func(n uint32) uint32 {
		seed = seed*1664525 + 1013904223
		return (seed >> 8) % n
	}
	roots := []string{}
	for version := 1; version <= 40; version++ {
		count := 1 + next(30)
		for i := uint32(0); i < count; i++ {
			key := []byte(fmt.Sprintf("key %d", next(60)))
			if next(3) == 0 {
				if _, _, err := tree.Remove(key); err != nil {
					panic(err)
				}
			} else if _, err := tree.Set(key, []byte(fmt.Sprintf("value %d", next(1000)))); err != nil {
				panic(err)
			}
		}
		hash, _, err := tree.SaveVersion()
		if err != nil {
			panic(err)
		}
		roots = append(roots, hex.EncodeToString(hash))
	}
	json.NewEncoder(os.Stdout).Encode(roots)
}
