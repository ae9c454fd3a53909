halley devnet --app ./notes.ts --watch
