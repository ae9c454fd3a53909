halley devnet --control --app ./app.ts --watch                    # an application in a file
halley devnet --control --proxy_app tcp://127.0.0.1:26658         # an application in another process
halley start --devnet --home ./home                               # a genesis and keys of your own
halley devnet --fork ~/.cometbft                                  # a copy of the chain of a stopped node
