halley devnet --validators 4
