halley devnet --control --validators 4
