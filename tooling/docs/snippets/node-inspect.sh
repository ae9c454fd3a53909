halley inspect --home ./home
