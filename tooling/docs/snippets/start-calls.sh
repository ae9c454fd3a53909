curl 'http://127.0.0.1:26657/status'
curl 'http://127.0.0.1:26657/broadcast_tx_commit?tx="name=satoshi"'
curl 'http://127.0.0.1:26657/abci_query?data="name"'
