halley testnet --v 4 --o ./net
