halley init --home ./mine
cp ./home/config/genesis.json ./mine/config/genesis.json
