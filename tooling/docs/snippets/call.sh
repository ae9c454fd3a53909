curl 'http://127.0.0.1:26657/block?height=1'
curl http://127.0.0.1:26657 -H 'Content-Type: application/json' \
  -d '{"jsonrpc":"2.0","id":1,"method":"block","params":{"height":"1"}}'
