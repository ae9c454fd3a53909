halley devnet --validators 3 --statesync
