halley devnet --control --dump chain.dump         # writes the chain to the file at the end
halley devnet --control --load chain.dump         # begins with it
