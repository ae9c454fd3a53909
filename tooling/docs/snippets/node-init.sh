halley init --home ./home
