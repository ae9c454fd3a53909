halley show-node-id --home ./home
