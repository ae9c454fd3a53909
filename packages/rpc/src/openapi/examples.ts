/*
 * Generated from the recordings of a real node: `vitest run packages/rpc/test/examples.test.ts -u` writes it again.
 */

import type { RecordedExample } from './recorded-example.ts'

export const EXAMPLES: Readonly<Record<string, RecordedExample>> = {
  subscribe: {
    uri: '{"query":"\\"tm.event=\'Tx\'\\""}',
    json: '{"query":"tm.event=\'NewBlock\'"}',
    result: '{}',
    error: '{"code":-32603,"message":"Internal error","data":"already subscribed"}',
  },
  unsubscribe: {
    uri: '{"query":"\\"tm.event=\'Tx\'\\""}',
    json: '{"query":"tm.event=\'NewBlock\'"}',
    result: '{}',
    error: '{"code":-32603,"message":"Internal error","data":"subscription not found"}',
  },
  unsubscribe_all: {
    result: '{}',
    error: '{"code":-32603,"message":"Internal error","data":"subscription not found"}',
  },
  health: {
    result: '{}',
    error:
      '{"code":-32603,"message":"Internal error","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  status: {
    result:
      '{"node_info":{"protocol_version":{"p2p":"8","block":"11","app":"1"},"id":"35a040f5675b3fcaccca1638ba3912637580dd61","listen_addr":"tcp://127.0.0.1:28656","network":"golden-kv-1","version":"0.38.25","channels":"40202122233038606100","moniker":"golden","other":{"tx_index":"on","rpc_address":"tcp://127.0.0.1:28657"}},"sync_info":{"latest_block_hash":"CAB2709A9439ACD0E9BD7EA03E7EA663820E14F3369FFE9FFAC839FB84A127E4","latest_app_hash":"E003000000000000","latest_block_height":"75","latest_block_time":"2026-11-21T00:24:05.68802233Z","earliest_block_hash":"B8037AB7B6EF4FB0BE95D0DADD58FBB860FBDD5B01E36C3EF638E4056FD130EF","earliest_app_hash":"0000000000000000","earliest_block_height":"1","earliest_block_time":"2026-11-20T00:00:00Z","catching_up":true},"validator_info":{"address":"F55E249EDD18F8EBBFCF6B20A710B1192CFA0890","pub_key":{"type":"tendermint/PubKeyEd25519","value":"WC40Q9V74ZIlQcBkELR5SnZz594dCPHla53yMlTIfHk="},"voting_power":"0"}}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  net_info: {
    result:
      '{"listening":true,"listeners":["Listener(@)"],"n_peers":"3","peers":[{"node_info":{"protocol_version":{"p2p":"8","block":"11","app":"1"},"id":"9e0323dbf97a2d1bc184cba6680b7bb07baf6dee","listen_addr":"tcp://127.0.0.1:28709","network":"golden-four-1","version":"0.38.25","channels":"40202122233038606100","moniker":"node1","other":{"tx_index":"on","rpc_address":"tcp://127.0.0.1:28710"}},"is_outbound":false,"connection_status":{"Duration":"3043251629","SendMonitor":{"Start":"2026-11-21T00:27:48.96Z","Bytes":"1035","Samples":"6","InstRate":"411","CurRate":"376","AvgRate":"340","PeakRate":"679","BytesRem":"0","Duration":"3040000000","Idle":"1940000000","TimeRem":"0","Progress":0,"Active":true},"RecvMonitor":{"Start":"2026-11-21T00:27:48.96Z","Bytes":"854","Samples":"7","InstRate":"325","CurRate":"317","AvgRate":"281","PeakRate":"2170","BytesRem":"0","Duration":"3040000000","Idle":"1840000000","TimeRem":"0","Progress":0,"Active":true},"Channels":[{"ID":48,"SendQueueCapacity":"1","SendQueueSize":"0","Priority":"5","RecentlySent":"0"},{"ID":64,"SendQueueCapacity":"1000","SendQueueSize":"0","Priority":"5","RecentlySent":"12"},{"ID":32,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"6","RecentlySent":"25"},{"ID":33,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"10","RecentlySent":"0"},{"ID":34,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"7","RecentlySent":"638"},{"ID":35,"SendQueueCapacity":"2","SendQueueSize":"0","Priority":"1","RecentlySent":"0"},{"ID":56,"SendQueueCapacity":"1","SendQueueSize":"0","Priority":"6","RecentlySent":"0"},{"ID":96,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"5","RecentlySent":"0"},{"ID":97,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"3","RecentlySent":"0"},{"ID":0,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"1","RecentlySent":"152"}]},"remote_ip":"127.0.0.1"},{"node_info":{"protocol_version":{"p2p":"8","block":"11","app":"1"},"id":"a7cf5e6e9ce763a7e0d61bcf5f2762857e48b77b","listen_addr":"tcp://127.0.0.1:28719","network":"golden-four-1","version":"0.38.25","channels":"40202122233038606100","moniker":"node2","other":{"tx_index":"on","rpc_address":"tcp://127.0.0.1:28720"}},"is_outbound":false,"connection_status":{"Duration":"3013739986","SendMonitor":{"Start":"2026-11-21T00:27:48.98Z","Bytes":"1035","Samples":"6","InstRate":"420","CurRate":"380","AvgRate":"343","PeakRate":"792","BytesRem":"0","Duration":"3020000000","Idle":"1900000000","TimeRem":"0","Progress":0,"Active":true},"RecvMonitor":{"Start":"2026-11-21T00:27:48.98Z","Bytes":"854","Samples":"7","InstRate":"332","CurRate":"321","AvgRate":"283","PeakRate":"1808","BytesRem":"0","Duration":"3020000000","Idle":"1800000000","TimeRem":"0","Progress":0,"Active":true},"Channels":[{"ID":48,"SendQueueCapacity":"1","SendQueueSize":"0","Priority":"5","RecentlySent":"0"},{"ID":64,"SendQueueCapacity":"1000","SendQueueSize":"0","Priority":"5","RecentlySent":"12"},{"ID":32,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"6","RecentlySent":"25"},{"ID":33,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"10","RecentlySent":"0"},{"ID":34,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"7","RecentlySent":"638"},{"ID":35,"SendQueueCapacity":"2","SendQueueSize":"0","Priority":"1","RecentlySent":"0"},{"ID":56,"SendQueueCapacity":"1","SendQueueSize":"0","Priority":"6","RecentlySent":"0"},{"ID":96,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"5","RecentlySent":"0"},{"ID":97,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"3","RecentlySent":"0"},{"ID":0,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"1","RecentlySent":"152"}]},"remote_ip":"127.0.0.1"},{"node_info":{"protocol_version":{"p2p":"8","block":"11","app":"1"},"id":"749a7d5eb3d8977a8c6cf590585d249ef5c88079","listen_addr":"tcp://127.0.0.1:28729","network":"golden-four-1","version":"0.38.25","channels":"40202122233038606100","moniker":"node3","other":{"tx_index":"on","rpc_address":"tcp://127.0.0.1:28730"}},"is_outbound":false,"connection_status":{"Duration":"2983078036","SendMonitor":{"Start":"2026-11-21T00:27:49.02Z","Bytes":"237","Samples":"5","InstRate":"15","CurRate":"34","AvgRate":"80","PeakRate":"864","BytesRem":"0","Duration":"2980000000","Idle":"2080000000","TimeRem":"0","Progress":0,"Active":true},"RecvMonitor":{"Start":"2026-11-21T00:27:49.02Z","Bytes":"854","Samples":"6","InstRate":"434","CurRate":"378","AvgRate":"287","PeakRate":"434","BytesRem":"0","Duration":"2980000000","Idle":"1880000000","TimeRem":"0","Progress":0,"Active":true},"Channels":[{"ID":48,"SendQueueCapacity":"1","SendQueueSize":"0","Priority":"5","RecentlySent":"0"},{"ID":64,"SendQueueCapacity":"1000","SendQueueSize":"0","Priority":"5","RecentlySent":"12"},{"ID":32,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"6","RecentlySent":"25"},{"ID":33,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"10","RecentlySent":"0"},{"ID":34,"SendQueueCapacity":"100","SendQueueSize":"0","Priority":"7","RecentlySent":"0"},{"ID":35,"SendQueueCapacity":"2","SendQueueSize":"0","Priority":"1","RecentlySent":"0"},{"ID":56,"SendQueueCapacity":"1","SendQueueSize":"0","Priority":"6","RecentlySent":"0"},{"ID":96,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"5","RecentlySent":"0"},{"ID":97,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"3","RecentlySent":"0"},{"ID":0,"SendQueueCapacity":"10","SendQueueSize":"0","Priority":"1","RecentlySent":"152"}]},"remote_ip":"127.0.0.1"}]}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  blockchain: {
    uri: '{"minHeight":"1","maxHeight":"1"}',
    json: '{"minHeight":"1","maxHeight":"1"}',
    result:
      '{"last_height":"75","block_metas":[{"block_id":{"hash":"CAB2709A9439ACD0E9BD7EA03E7EA663820E14F3369FFE9FFAC839FB84A127E4","parts":{"total":1,"hash":"FFA7F6F0E06D2854E971161D528FA98D86CD6606138EF67755BE946DCFB83E13"}},"block_size":"639","header":{"version":{"block":"11","app":"1"},"chain_id":"golden-kv-1","height":"75","time":"2026-11-21T00:24:05.68802233Z","last_block_id":{"hash":"E67EB87FAC01E0663B7179EC6A3C0FD4055211A40E0792D70A604A8FDF40A994","parts":{"total":1,"hash":"074C7BAD832401FF028F56513286334A1633E70D6801DD5E6817C663E8229EE0"}},"last_commit_hash":"B6B7219ACBC5DE26E319E467515D54E0422FDF765F0D2DCAE34CF63616AD7016","data_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","validators_hash":"245140C33D2B681355202282FFD26CFE8AEE99CAE49E53CCF986C166DA8AFFBF","next_validators_hash":"245140C33D2B681355202282FFD26CFE8AEE99CAE49E53CCF986C166DA8AFFBF","consensus_hash":"048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F","app_hash":"E003000000000000","last_results_hash":"4837665DFE640A370E7496C691987562D02462142C5F34F59E185911A12370EA","evidence_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","proposer_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C"},"num_txs":"0"}]}',
    error: '{"code":-32603,"message":"Internal error","data":"min height 5 can\'t be greater than max height 3"}',
  },
  genesis: {
    result:
      '{"genesis":{"genesis_time":"2026-11-20T00:00:00Z","chain_id":"golden-ext-1","initial_height":"1000","consensus_params":{"block":{"max_bytes":"200000","max_gas":"-1"},"evidence":{"max_age_num_blocks":"8","max_age_duration":"2000000000","max_bytes":"10000"},"validator":{"pub_key_types":["ed25519"]},"version":{"app":"1"},"abci":{"vote_extensions_enable_height":"0"}},"validators":[{"address":"9FDD19339E69C7D6E0C8F95AAF01B855863A9972","pub_key":{"type":"tendermint/PubKeyEd25519","value":"zaYEpftWxTQhLgdrexjQu+w7xcTTuqPhwQm/jYlX+8I="},"power":"100","name":"node0"},{"address":"C415926E75A6ACE2FAC5B229C2A4E3ADB29840C3","pub_key":{"type":"tendermint/PubKeyEd25519","value":"OXVnzQFHiYe0dRRrfkdRlUE0h3kzU59ybL9cP0W1ur4="},"power":"100","name":"node1"}],"app_hash":"","app_state":{"initial":"state","unicode":"Σ☃","seed":"1"}}}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  genesis_chunked: {
    uri: '{"chunk":"\\"0\\""}',
    json: '{"chunk":"1"}',
    result:
      '{"chunk":"0","total":"1","data":"eyJnZW5lc2lzX3RpbWUiOiIyMDI2LTExLTIwVDAwOjAwOjAwWiIsImNoYWluX2lkIjoiZ29sZGVuLWt2LTEiLCJpbml0aWFsX2hlaWdodCI6IjEiLCJjb25zZW5zdXNfcGFyYW1zIjp7ImJsb2NrIjp7Im1heF9ieXRlcyI6IjIyMDIwMDk2IiwibWF4X2dhcyI6Ii0xIn0sImV2aWRlbmNlIjp7Im1heF9hZ2VfbnVtX2Jsb2NrcyI6IjEwMDAwMCIsIm1heF9hZ2VfZHVyYXRpb24iOiIxNzI4MDAwMDAwMDAwMDAiLCJtYXhfYnl0ZXMiOiIxMDQ4NTc2In0sInZhbGlkYXRvciI6eyJwdWJfa2V5X3R5cGVzIjpbImVkMjU1MTkiLCJzZWNwMjU2azEiXX0sInZlcnNpb24iOnsiYXBwIjoiMCJ9LCJhYmNpIjp7InZvdGVfZXh0ZW5zaW9uc19lbmFibGVfaGVpZ2h0IjoiMCJ9fSwidmFsaWRhdG9ycyI6W3siYWRkcmVzcyI6IkJGMDIyNDZENDg4MzAwQjFDMUNGMjk0ODYxRUNFQ0FBN0IzNEFFMEMiLCJwdWJfa2V5Ijp7InR5cGUiOiJ0ZW5kZXJtaW50L1B1YktleUVkMjU1MTkiLCJ2YWx1ZSI6ImxsemlXMG5XU0JkTUNGZVFRaEhvWHlIRXZEcEUxWHVoMlg1UDRJdTI0cnc9In0sInBvd2VyIjoiNDAiLCJuYW1lIjoiIn1dLCJhcHBfaGFzaCI6IiJ9"}',
    error: '{"code":-32603,"message":"Internal error","data":"there are 0 chunks, 1 is invalid"}',
  },
  block: {
    uri: '{"height":"1"}',
    json: '{"height":"53"}',
    result:
      '{"block_id":{"hash":"BC75BF451F2520D1FEB3BE26FAA408E727C5ADC556559D425D7F9F62D61B7883","parts":{"total":1,"hash":"47CCEA2880769EB5EC1CAE8C453E60B50A5B22C5672221F7CAE3A8828AD57886"}},"block":{"header":{"version":{"block":"11","app":"1"},"chain_id":"golden-kv-1","height":"5","time":"2026-11-21T00:23:22.479583343Z","last_block_id":{"hash":"55A88C44660D2CA11EAD742691CC6B1F3D59338D57E35708F66E53A550BDEC36","parts":{"total":1,"hash":"F838BB3ECBFF804D16FE0F96B55422A3C91679068F125FBA1C289756193D1076"}},"last_commit_hash":"4C6C71BC5F42C499A729F8232D41532D23282F463AB9B98F8D4E5171C95B6FDF","data_hash":"913777D04B442E89ED1CA588EEFDE531927CC1DC23167034C8EC86FFB11BF354","validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","next_validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","consensus_hash":"048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F","app_hash":"0600000000000000","last_results_hash":"6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D","evidence_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","proposer_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C"},"data":{"txs":["c2RrYT1hdXI="]},"evidence":{"evidence":[]},"last_commit":{"height":"4","round":0,"block_id":{"hash":"55A88C44660D2CA11EAD742691CC6B1F3D59338D57E35708F66E53A550BDEC36","parts":{"total":1,"hash":"F838BB3ECBFF804D16FE0F96B55422A3C91679068F125FBA1C289756193D1076"}},"signatures":[{"block_id_flag":2,"validator_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C","timestamp":"2026-11-21T00:23:22.479583343Z","signature":"O3OGaBqKltK5cRA83b2rJzjOOSGheNsWZ5QURs6U6GgAefJK/3FWoqqYM2YhlWX4FlTKzThhynOfsQRufNoJDg=="}]}}}',
    error: '{"code":-32603,"message":"Internal error","data":"height must be greater than 0, but got 0"}',
  },
  block_by_hash: {
    uri: '{"hash":"0x6475BA7B7B0587D9723F6BF52522B7984BAC78587F7D320EF8A505D9964C3A4C"}',
    json: '{"hash":"6475BA7B7B0587D9723F6BF52522B7984BAC78587F7D320EF8A505D9964C3A4C"}',
    result:
      '{"block_id":{"hash":"6475BA7B7B0587D9723F6BF52522B7984BAC78587F7D320EF8A505D9964C3A4C","parts":{"total":1,"hash":"5C0885FCD897B035823841ED4477F716367242D5FA73619A0F8E5704B7AA41F2"}},"block":{"header":{"version":{"block":"11","app":"1"},"chain_id":"golden-kv-1","height":"53","time":"2026-11-21T00:23:47.938710057Z","last_block_id":{"hash":"E71F8609779F531AF299CD8D506168FEF07E71F2D02F20B65140412B3085F00D","parts":{"total":1,"hash":"1B125D77EABBE8382A579F62E560364018AB732101E7A1B49617AB31F2E08589"}},"last_commit_hash":"23B6409E70C898474875B2F47942C032A3DB4B140F8E302980546BEB0BE0AEAF","data_hash":"1CD2A3445F4688EB88BEC2133B1C3EA6CB90B60C3B74804CAB2F8FED6AED1247","validators_hash":"245140C33D2B681355202282FFD26CFE8AEE99CAE49E53CCF986C166DA8AFFBF","next_validators_hash":"245140C33D2B681355202282FFD26CFE8AEE99CAE49E53CCF986C166DA8AFFBF","consensus_hash":"048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F","app_hash":"8602000000000000","last_results_hash":"6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D","evidence_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","proposer_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C"},"data":{"txs":["YnVyc3QvNy8xPXhzeA==","YnVyc3QvNy8yPXN0YXl1","YnVyc3QvNy8zPXJ3Ymx4enQ=","YnVyc3QvNy80PWhqZWp4aQ==","YnVyc3QvNy81PXJzc2xvcWtl","YnVyc3QvNy82PXZ3dWQ=","YnVyc3QvNy83PWpweQ==","YnVyc3QvNy84PWl6bG1vcWdw","YnVyc3QvNy85PWhpeGk=","bW9yZS83LzA9MzY=","bW9yZS83LzE9NDcw","bW9yZS83LzI9NTM0","YnVyc3QvOC8wPWxmYnJ4","YnVyc3QvOC8xPXZnbg==","YnVyc3QvOC8yPW1qendxeHNs","YnVyc3QvOC8zPWxxdA==","YnVyc3QvOC80PW1mdmF5a2I=","YnVyc3QvOC81PW5idnV2","YnVyc3QvOC82PXZmZ2dpbno=","YnVyc3QvOC83PXB3bQ==","YnVyc3QvOC84PXBkanNscGc=","YnVyc3QvOC85PW5vb2Nj"]},"evidence":{"evidence":[]},"last_commit":{"height":"52","round":0,"block_id":{"hash":"E71F8609779F531AF299CD8D506168FEF07E71F2D02F20B65140412B3085F00D","parts":{"total":1,"hash":"1B125D77EABBE8382A579F62E560364018AB732101E7A1B49617AB31F2E08589"}},"signatures":[{"block_id_flag":2,"validator_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C","timestamp":"2026-11-21T00:23:47.938710057Z","signature":"yUiazSpgOlprfdzFPMWmIlt3OrncuCmpMfXYckuWSSy2tMao5pu+RsuI9rUqBVrh3oCpb4bjmJSQwXjptwpOBg=="},{"block_id_flag":1,"validator_address":"","timestamp":"0001-01-01T00:00:00Z","signature":null},{"block_id_flag":1,"validator_address":"","timestamp":"0001-01-01T00:00:00Z","signature":null},{"block_id_flag":1,"validator_address":"","timestamp":"0001-01-01T00:00:00Z","signature":null},{"block_id_flag":1,"validator_address":"","timestamp":"0001-01-01T00:00:00Z","signature":null}]}}}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: illegal base64 data at input byte 64"}',
  },
  block_results: {
    uri: '{"height":"1"}',
    json: '{"height":"53"}',
    result:
      '{"height":"1004","txs_results":[{"code":0,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[],"codespace":""}],"finalize_block_events":[{"type":"val_updates","attributes":[{"key":"size","value":"0","index":false},{"key":"height","value":"1004","index":false}]}],"validator_updates":null,"consensus_param_updates":{"abci":{"vote_extensions_enable_height":"1008"}},"app_hash":"jZ9fZYgf2RTE32lyWFC/gNoXZALJ7fvGUdYOo8Dlo+A="}',
    error: '{"code":-32603,"message":"Internal error","data":"height must be greater than 0, but got 0"}',
  },
  commit: {
    uri: '{"height":"1"}',
    json: '{"height":"53"}',
    result:
      '{"signed_header":{"header":{"version":{"block":"11","app":"1"},"chain_id":"golden-kv-1","height":"5","time":"2026-11-21T00:23:22.479583343Z","last_block_id":{"hash":"55A88C44660D2CA11EAD742691CC6B1F3D59338D57E35708F66E53A550BDEC36","parts":{"total":1,"hash":"F838BB3ECBFF804D16FE0F96B55422A3C91679068F125FBA1C289756193D1076"}},"last_commit_hash":"4C6C71BC5F42C499A729F8232D41532D23282F463AB9B98F8D4E5171C95B6FDF","data_hash":"913777D04B442E89ED1CA588EEFDE531927CC1DC23167034C8EC86FFB11BF354","validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","next_validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","consensus_hash":"048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F","app_hash":"0600000000000000","last_results_hash":"6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D","evidence_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","proposer_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C"},"commit":{"height":"5","round":0,"block_id":{"hash":"BC75BF451F2520D1FEB3BE26FAA408E727C5ADC556559D425D7F9F62D61B7883","parts":{"total":1,"hash":"47CCEA2880769EB5EC1CAE8C453E60B50A5B22C5672221F7CAE3A8828AD57886"}},"signatures":[{"block_id_flag":2,"validator_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C","timestamp":"2026-11-21T00:23:22.685464288Z","signature":"d1TXBBjAZcbiwc8Qvrw4sphre3XwcQF5gjAoEAZHewcbc7FwE80ZK/eWcAKMSvLeOshdLxDplpB2XQjRK5RvAA=="}]}},"canonical":true}',
    error: '{"code":-32603,"message":"Internal error","data":"height must be greater than 0, but got 0"}',
  },
  header: {
    uri: '{"height":"1"}',
    json: '{"height":"53"}',
    result:
      '{"header":{"version":{"block":"11","app":"1"},"chain_id":"golden-kv-1","height":"19","time":"2026-11-21T00:23:27.9578617Z","last_block_id":{"hash":"AE0BF3E19B8A5E2ACAB54D1F42A259BF9B4D466B32BF59A0DCEB0D9E5ACD9EC0","parts":{"total":1,"hash":"894B3D41D2C828B16CB673FE6BA94B3B50D33DBCB083BA1BF61F6FD9542D80BA"}},"last_commit_hash":"765979827870B8D33B7483C73BBA57574D07173952463EF1168B55070756BFC1","data_hash":"9C92BE91BD1CC4CB03F5AC37ABE90D4390F53EC4E3AF99E8BE69B5E60471C1AE","validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","next_validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","consensus_hash":"048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F","app_hash":"1C00000000000000","last_results_hash":"6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D","evidence_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","proposer_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C"}}',
    error: '{"code":-32603,"message":"Internal error","data":"height must be greater than 0, but got 0"}',
  },
  header_by_hash: {
    uri: '{"hash":"0x6475BA7B7B0587D9723F6BF52522B7984BAC78587F7D320EF8A505D9964C3A4C"}',
    json: '{"hash":"6475BA7B7B0587D9723F6BF52522B7984BAC78587F7D320EF8A505D9964C3A4C"}',
    result:
      '{"header":{"version":{"block":"11","app":"1"},"chain_id":"golden-kv-1","height":"53","time":"2026-11-21T00:23:47.938710057Z","last_block_id":{"hash":"E71F8609779F531AF299CD8D506168FEF07E71F2D02F20B65140412B3085F00D","parts":{"total":1,"hash":"1B125D77EABBE8382A579F62E560364018AB732101E7A1B49617AB31F2E08589"}},"last_commit_hash":"23B6409E70C898474875B2F47942C032A3DB4B140F8E302980546BEB0BE0AEAF","data_hash":"1CD2A3445F4688EB88BEC2133B1C3EA6CB90B60C3B74804CAB2F8FED6AED1247","validators_hash":"245140C33D2B681355202282FFD26CFE8AEE99CAE49E53CCF986C166DA8AFFBF","next_validators_hash":"245140C33D2B681355202282FFD26CFE8AEE99CAE49E53CCF986C166DA8AFFBF","consensus_hash":"048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F","app_hash":"8602000000000000","last_results_hash":"6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D","evidence_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","proposer_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C"}}',
    error:
      '{"code":-32603,"message":"Internal error","data":"error converting json params to arguments: encoding/hex: invalid byte: U+005A \'Z\'"}',
  },
  check_tx: {
    uri: '{"tx":"0x66726573683d7478"}',
    json: '{"tx":"ZnJlc2g9dHg="}',
    result: '{"code":0,"data":null,"log":"","info":"","gas_wanted":"1","gas_used":"0","events":[],"codespace":""}',
    error:
      '{"code":-32603,"message":"Internal error","data":"error converting json params to arguments: illegal base64 data at input byte 0"}',
  },
  tx: {
    uri: '{"hash":"0x57D835FBBA0DBF922D8A2EDA56922C9B24E7760927F245A7684A736C4769DB8A","prove":"true"}',
    json: '{"hash":"V9g1+7oNv5Itii7aVpIsmyTndgkn8kWnaEpzbEdp24o=","prove":true}',
    result:
      '{"hash":"57D835FBBA0DBF922D8A2EDA56922C9B24E7760927F245A7684A736C4769DB8A","height":"2","index":0,"tx_result":{"code":0,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[{"type":"app","attributes":[{"key":"creator","value":"Cosmoshi Netowoko","index":true},{"key":"key","value":"name","index":true},{"key":"index_key","value":"index is working","index":true},{"key":"noindex_key","value":"index is working","index":false}]},{"type":"app","attributes":[{"key":"creator","value":"Cosmoshi","index":true},{"key":"key","value":"satoshi","index":true},{"key":"index_key","value":"index is working","index":true},{"key":"noindex_key","value":"index is working","index":false}]}],"codespace":""},"tx":"bmFtZT1zYXRvc2hp"}',
    error: '{"code":-32603,"message":"Internal error","data":"transaction indexing is disabled"}',
  },
  tx_search: {
    uri: '{"query":"\\"tx.height=1\\"","prove":"true","page":"1","per_page":"3","order_by":"\\"asc\\""}',
    json: '{"query":"tx.height=1","prove":true,"page":"2","per_page":"3","order_by":"desc"}',
    result:
      '{"txs":[{"hash":"370165EABBCDF367DCD95545BEB9BE52D68A241C15BBF76FA0C540129887A563","height":"1002","index":0,"tx_result":{"code":0,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[],"codespace":""},"tx":"bXpnZHBhPW1udHl5YQ=="}],"total_count":"1"}',
    error: '{"code":-32603,"message":"Internal error","data":"transaction indexing is disabled"}',
  },
  block_search: {
    uri: '{"query":"\\"block.height <= 6\\"","page":"1","per_page":"2","order_by":"\\"asc\\""}',
    json: '{"query":"block.height <= 6","page":"2","per_page":"2","order_by":"asc"}',
    result:
      '{"blocks":[{"block_id":{"hash":"BC75BF451F2520D1FEB3BE26FAA408E727C5ADC556559D425D7F9F62D61B7883","parts":{"total":1,"hash":"47CCEA2880769EB5EC1CAE8C453E60B50A5B22C5672221F7CAE3A8828AD57886"}},"block":{"header":{"version":{"block":"11","app":"1"},"chain_id":"golden-kv-1","height":"5","time":"2026-11-21T00:23:22.479583343Z","last_block_id":{"hash":"55A88C44660D2CA11EAD742691CC6B1F3D59338D57E35708F66E53A550BDEC36","parts":{"total":1,"hash":"F838BB3ECBFF804D16FE0F96B55422A3C91679068F125FBA1C289756193D1076"}},"last_commit_hash":"4C6C71BC5F42C499A729F8232D41532D23282F463AB9B98F8D4E5171C95B6FDF","data_hash":"913777D04B442E89ED1CA588EEFDE531927CC1DC23167034C8EC86FFB11BF354","validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","next_validators_hash":"3A9AAB0C7FB0B0C09A27AFEB7917AC3923F7B482A4A3CCB8BC29C82C4EA27C2C","consensus_hash":"048091BC7DDC283F77BFBF91D73C44DA58C3DF8A9CBC867405D8B7F3DAADA22F","app_hash":"0600000000000000","last_results_hash":"6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D","evidence_hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","proposer_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C"},"data":{"txs":["c2RrYT1hdXI="]},"evidence":{"evidence":[]},"last_commit":{"height":"4","round":0,"block_id":{"hash":"55A88C44660D2CA11EAD742691CC6B1F3D59338D57E35708F66E53A550BDEC36","parts":{"total":1,"hash":"F838BB3ECBFF804D16FE0F96B55422A3C91679068F125FBA1C289756193D1076"}},"signatures":[{"block_id_flag":2,"validator_address":"BF02246D488300B1C1CF294861ECECAA7B34AE0C","timestamp":"2026-11-21T00:23:22.479583343Z","signature":"O3OGaBqKltK5cRA83b2rJzjOOSGheNsWZ5QURs6U6GgAefJK/3FWoqqYM2YhlWX4FlTKzThhynOfsQRufNoJDg=="}]}}}],"total_count":"5"}',
    error: '{"code":-32603,"message":"Internal error","data":"block indexing is disabled"}',
  },
  validators: {
    uri: '{"height":"1","page":"1","per_page":"1"}',
    json: '{"height":"53","page":"1","per_page":"1"}',
    result:
      '{"block_height":"21","validators":[{"address":"3357586B5189F76FC05760DEB360EEAA56815047","pub_key":{"type":"tendermint/PubKeyEd25519","value":"JMgHFMCR9mPncR0kFwu9ejmEtORL2K/mRexCUqGAz6k="},"voting_power":"3","proposer_priority":"0"}],"count":"1","total":"5"}',
    error: '{"code":-32603,"message":"Internal error","data":"page should be within [1, 1] range, given 0"}',
  },
  dump_consensus_state: {
    result:
      '{"round_state":{"height":"37","round":0,"step":2,"start_time":"2026-11-21T00:27:49.116128243Z","commit_time":"0001-01-01T00:00:00Z","validators":{"validators":[{"address":"23A77735F6B1360E40FD436D75BF6B0F6F1AB279","pub_key":{"type":"tendermint/PubKeyEd25519","value":"sjK84eLSEDoFfGOW517+QGGFhhEkAOFkwuluvQvLNEA="},"voting_power":"10","proposer_priority":"4"},{"address":"3F1698BE83B206FDFB9B8AB09A8394D4419FFA9A","pub_key":{"type":"tendermint/PubKeyEd25519","value":"XFCgLXwHBz5G7v/UMB/pYhPsiC9dlhEqNLtPgVxEFFo="},"voting_power":"10","proposer_priority":"4"},{"address":"CD7C06C1AC7A8AE5784C2056624FDCDC0B557B37","pub_key":{"type":"tendermint/PubKeyEd25519","value":"u0h52zYtHEtEKRDW8SnnYsjEOev9hqknMRkh1yCWKkk="},"voting_power":"10","proposer_priority":"3"},{"address":"D1E6B98C560559D6448B52EC7C060E150FDD4190","pub_key":{"type":"tendermint/PubKeyEd25519","value":"f8CtTso1KkpT+U8VQm2eMf5bwqHE6UJq3gXEuiveeCM="},"voting_power":"9","proposer_priority":"-11"}],"proposer":{"address":"D1E6B98C560559D6448B52EC7C060E150FDD4190","pub_key":{"type":"tendermint/PubKeyEd25519","value":"f8CtTso1KkpT+U8VQm2eMf5bwqHE6UJq3gXEuiveeCM="},"voting_power":"9","proposer_priority":"-11"}},"proposal":null,"proposal_block":null,"proposal_block_parts":null,"locked_round":-1,"locked_block":null,"locked_block_parts":null,"valid_round":-1,"valid_block":null,"valid_block_parts":null,"votes":[{"round":0,"prevotes":["nil-Vote","nil-Vote","nil-Vote","nil-Vote"],"prevotes_bit_array":"BA{4:____} 0/39 = 0.00","precommits":["nil-Vote","nil-Vote","nil-Vote","nil-Vote"],"precommits_bit_array":"BA{4:____} 0/39 = 0.00"},{"round":1,"prevotes":["nil-Vote","nil-Vote","nil-Vote","nil-Vote"],"prevotes_bit_array":"BA{4:____} 0/39 = 0.00","precommits":["nil-Vote","nil-Vote","nil-Vote","nil-Vote"],"precommits_bit_array":"BA{4:____} 0/39 = 0.00"}],"commit_round":-1,"last_commit":{"votes":["Vote{0:23A77735F6B1 36/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) 6D388298C19F 1D12E80A1EE2 000000000000 @ 2026-11-21T00:27:44.919999964Z}","Vote{1:3F1698BE83B2 36/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) 6D388298C19F 6E074452A348 000000000000 @ 2026-11-21T00:27:44.919590516Z}","Vote{2:CD7C06C1AC7A 36/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) 6D388298C19F 63C871DEB893 000000000000 @ 2026-11-21T00:27:44.919864703Z}","Vote{3:D1E6B98C5605 36/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) 6D388298C19F 719C0C7E3D3F 000000000000 @ 2026-11-21T00:27:44.920156146Z}"],"votes_bit_array":"BA{4:xxxx} 39/39 = 1.00","peer_maj_23s":{}},"last_validators":{"validators":[{"address":"23A77735F6B1360E40FD436D75BF6B0F6F1AB279","pub_key":{"type":"tendermint/PubKeyEd25519","value":"sjK84eLSEDoFfGOW517+QGGFhhEkAOFkwuluvQvLNEA="},"voting_power":"10","proposer_priority":"-6"},{"address":"3F1698BE83B206FDFB9B8AB09A8394D4419FFA9A","pub_key":{"type":"tendermint/PubKeyEd25519","value":"XFCgLXwHBz5G7v/UMB/pYhPsiC9dlhEqNLtPgVxEFFo="},"voting_power":"10","proposer_priority":"-6"},{"address":"CD7C06C1AC7A8AE5784C2056624FDCDC0B557B37","pub_key":{"type":"tendermint/PubKeyEd25519","value":"u0h52zYtHEtEKRDW8SnnYsjEOev9hqknMRkh1yCWKkk="},"voting_power":"10","proposer_priority":"-7"},{"address":"D1E6B98C560559D6448B52EC7C060E150FDD4190","pub_key":{"type":"tendermint/PubKeyEd25519","value":"f8CtTso1KkpT+U8VQm2eMf5bwqHE6UJq3gXEuiveeCM="},"voting_power":"9","proposer_priority":"19"}],"proposer":{"address":"CD7C06C1AC7A8AE5784C2056624FDCDC0B557B37","pub_key":{"type":"tendermint/PubKeyEd25519","value":"u0h52zYtHEtEKRDW8SnnYsjEOev9hqknMRkh1yCWKkk="},"voting_power":"10","proposer_priority":"-7"}},"triggered_timeout_precommit":false},"peers":[{"node_address":"9e0323dbf97a2d1bc184cba6680b7bb07baf6dee@127.0.0.1:54902","peer_state":{"round_state":{"height":"37","round":0,"step":1,"start_time":"2026-11-21T00:27:50.057155193Z","proposal":false,"proposal_block_part_set_header":{"total":0,"hash":""},"proposal_block_parts":null,"proposal_pol_round":-1,"proposal_pol":"____","prevotes":"____","precommits":"____","last_commit_round":0,"last_commit":"xxxx","catchup_commit_round":-1,"catchup_commit":"____"},"stats":{"votes":"0","block_parts":"0"}}},{"node_address":"a7cf5e6e9ce763a7e0d61bcf5f2762857e48b77b@127.0.0.1:54916","peer_state":{"round_state":{"height":"37","round":0,"step":1,"start_time":"2026-11-21T00:27:50.084706667Z","proposal":false,"proposal_block_part_set_header":{"total":0,"hash":""},"proposal_block_parts":null,"proposal_pol_round":-1,"proposal_pol":"____","prevotes":"____","precommits":"____","last_commit_round":0,"last_commit":"xxxx","catchup_commit_round":-1,"catchup_commit":"____"},"stats":{"votes":"1","block_parts":"0"}}},{"node_address":"749a7d5eb3d8977a8c6cf590585d249ef5c88079@127.0.0.1:54928","peer_state":{"round_state":{"height":"37","round":0,"step":1,"start_time":"2026-11-21T00:27:50.117353953Z","proposal":false,"proposal_block_part_set_header":{"total":0,"hash":""},"proposal_block_parts":null,"proposal_pol_round":-1,"proposal_pol":"____","prevotes":"____","precommits":"____","last_commit_round":0,"last_commit":"xxxx","catchup_commit_round":-1,"catchup_commit":"____"},"stats":{"votes":"0","block_parts":"0"}}}]}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  consensus_state: {
    result:
      '{"round_state":{"height/round/step":"1042/0/6","start_time":"2026-11-21T00:23:13.844359258Z","proposal_block_hash":"F19010285FB2523690A2A096994A9CC8F7D4B350AF18608875F13B21147E1858","locked_block_hash":"F19010285FB2523690A2A096994A9CC8F7D4B350AF18608875F13B21147E1858","valid_block_hash":"F19010285FB2523690A2A096994A9CC8F7D4B350AF18608875F13B21147E1858","height_vote_set":[{"round":0,"prevotes":["Vote{0:9FDD19339E69 1042/00/SIGNED_MSG_TYPE_PREVOTE(Prevote) F19010285FB2 6F85FC6B9463 000000000000 @ 2026-11-21T00:23:10.534927677Z}","Vote{1:C415926E75A6 1042/00/SIGNED_MSG_TYPE_PREVOTE(Prevote) F19010285FB2 5DE280AA7E71 000000000000 @ 2026-11-21T00:23:10.434493285Z}"],"prevotes_bit_array":"BA{2:xx} 190/190 = 1.00","precommits":["Vote{0:9FDD19339E69 1042/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) F19010285FB2 4A22DFF2117F 1E0000000000 @ 2026-11-21T00:23:10.537384282Z}","nil-Vote"],"precommits_bit_array":"BA{2:x_} 100/190 = 0.53"},{"round":1,"prevotes":["nil-Vote","nil-Vote"],"prevotes_bit_array":"BA{2:__} 0/190 = 0.00","precommits":["nil-Vote","nil-Vote"],"precommits_bit_array":"BA{2:__} 0/190 = 0.00"}],"proposer":{"address":"C415926E75A6ACE2FAC5B229C2A4E3ADB29840C3","index":1}}}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  consensus_params: {
    uri: '{"height":"1"}',
    json: '{"height":"53"}',
    result:
      '{"block_height":"1000","consensus_params":{"block":{"max_bytes":"200000","max_gas":"-1"},"evidence":{"max_age_num_blocks":"8","max_age_duration":"2000000000","max_bytes":"10000"},"validator":{"pub_key_types":["ed25519"]},"version":{"app":"1"},"abci":{"vote_extensions_enable_height":"0"}}}',
    error: '{"code":-32603,"message":"Internal error","data":"height must be greater than 0, but got 0"}',
  },
  unconfirmed_txs: {
    uri: '{"limit":"1"}',
    json: '{"limit":"1"}',
    result: '{"n_txs":"2","total":"5","total_bytes":"40","txs":["aGFsdDA9djA=","aGFsdDE9djE="]}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting http params to arguments: got a hex string arg, but expected \'int\'"}',
  },
  num_unconfirmed_txs: {
    result: '{"n_txs":"0","total":"0","total_bytes":"0","txs":null}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  broadcast_tx_commit: {
    uri: '{"tx":"\\"noequals\\""}',
    json: '{"tx":"bm9lcXVhbHM="}',
    result:
      '{"check_tx":{"code":2,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[],"codespace":""},"tx_result":{"code":0,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[],"codespace":""},"hash":"E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855","height":"0"}',
    error:
      '{"code":-32603,"message":"Internal error","data":"error on broadcastTxCommit: mempool is full: number of txs 6 (max: 6), total txs bytes 48 (max: 4000)"}',
  },
  broadcast_tx_sync: {
    uri: '{"tx":"\\"noequals\\""}',
    json: '{"tx":"bm9lcXVhbHM="}',
    result:
      '{"code":0,"data":"","log":"","codespace":"","hash":"F81FEAA96E0DD4E4864A603FA7BB9D35A8778BD0297742ECF9D63ED343F0F9FA"}',
    error:
      '{"code":-32603,"message":"Internal error","data":"mempool is full: number of txs 6 (max: 6), total txs bytes 48 (max: 4000)"}',
  },
  broadcast_tx_async: {
    uri: '{"tx":"\\"noequals\\""}',
    json: '{"tx":"bm9lcXVhbHM="}',
    result:
      '{"code":0,"data":"","log":"","codespace":"","hash":"620D74A7F2AEEC5B0D00A21AEA79E7DFBDD7CA61C29D9C03264A7CCB8F8023B0"}',
    error:
      '{"code":-32603,"message":"Internal error","data":"mempool is full: number of txs 6 (max: 6), total txs bytes 48 (max: 4000)"}',
  },
  abci_query: {
    uri: '{"path":"\\"/store\\"","data":"\\"name\\"","height":"5","prove":"true"}',
    json: '{"path":"/store","data":"6e616d65","height":"5","prove":true}',
    result:
      '{"response":{"code":0,"log":"exists","info":"","index":"0","key":"bmFtZQ==","value":"zqPOsc+Ez4zPg865IOKYgyDwn5qA","proofOps":null,"height":"75","codespace":""}}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting http params to arguments: encoding/hex: odd length hex string"}',
  },
  abci_info: {
    result:
      '{"response":{"data":"{\\"size\\":54}","version":"2.0.0","app_version":"1","last_block_height":"36","last_block_app_hash":"bAAAAAAAAAA="}}',
    error:
      '{"code":-32602,"message":"Invalid params","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
  broadcast_evidence: {
    uri: '{"evidence":"{\\"type\\":\\"tendermint/DuplicateVoteEvidence\\",\\"value\\":{\\"vote_a\\":{\\"type\\":2,\\"height\\":\\"13\\",\\"round\\":0,\\"block_id\\":{\\"hash\\":\\"7DC96F776C8423E57A2785489A3F9C43FB6E756876D6AD9A9CAC4AA4E72EC193\\",\\"parts\\":{\\"total\\":1,\\"hash\\":\\"413F185EFD39C7FC0F856772806DC6DA5A1DDCDB6D64BCE457F7A883D3CA26BE\\"}},\\"timestamp\\":\\"2026-11-21T00:27:19.19357382Z\\",\\"validator_address\\":\\"D1E6B98C560559D6448B52EC7C060E150FDD4190\\",\\"validator_index\\":3,\\"signature\\":\\"7eX/uvvNRPIYNuDtXY1iRYLSgVdgHdjLdiHGKws0fB36wlzk51132h/X0m70EXUBVTUSx1n1j7M/acSlLgm1Bg==\\"},\\"vote_b\\":{\\"type\\":2,\\"height\\":\\"13\\",\\"round\\":0,\\"block_id\\":{\\"hash\\":\\"F55FF16F66F43360266B95DB6F8FEC01D76031054306AE4A4B380598F6CFD114\\",\\"parts\\":{\\"total\\":1,\\"hash\\":\\"3A2C565806AE903D262A4DA1DB36118FEB4E9921B65550E4591B0CDE5FD2AB13\\"}},\\"timestamp\\":\\"2026-11-21T00:27:19.19357382Z\\",\\"validator_address\\":\\"D1E6B98C560559D6448B52EC7C060E150FDD4190\\",\\"validator_index\\":3,\\"signature\\":\\"Xhu30ovcGyPZS4pHBE0wn1tkxOqxoQN5qo2RMphrUXkmVyDyLzCGGNGIeAt7rGQghThx1bDHujFDW0AJo77LBg==\\"},\\"TotalVotingPower\\":\\"43\\",\\"ValidatorPower\\":\\"10\\",\\"Timestamp\\":\\"2026-11-21T00:27:19.19357382Z\\"}}"}',
    json: '{"evidence":{"type":"tendermint/DuplicateVoteEvidence","value":{"vote_a":{"type":2,"height":"13","round":0,"block_id":{"hash":"7DC96F776C8423E57A2785489A3F9C43FB6E756876D6AD9A9CAC4AA4E72EC193","parts":{"total":1,"hash":"413F185EFD39C7FC0F856772806DC6DA5A1DDCDB6D64BCE457F7A883D3CA26BE"}},"timestamp":"2026-11-21T00:27:19.19357382Z","validator_address":"D1E6B98C560559D6448B52EC7C060E150FDD4190","validator_index":3,"signature":"7eX/uvvNRPIYNuDtXY1iRYLSgVdgHdjLdiHGKws0fB36wlzk51132h/X0m70EXUBVTUSx1n1j7M/acSlLgm1Bg=="},"vote_b":{"type":2,"height":"13","round":0,"block_id":{"hash":"F55FF16F66F43360266B95DB6F8FEC01D76031054306AE4A4B380598F6CFD114","parts":{"total":1,"hash":"3A2C565806AE903D262A4DA1DB36118FEB4E9921B65550E4591B0CDE5FD2AB13"}},"timestamp":"2026-11-21T00:27:19.19357382Z","validator_address":"D1E6B98C560559D6448B52EC7C060E150FDD4190","validator_index":3,"signature":"Xhu30ovcGyPZS4pHBE0wn1tkxOqxoQN5qo2RMphrUXkmVyDyLzCGGNGIeAt7rGQghThx1bDHujFDW0AJo77LBg=="},"TotalVotingPower":"43","ValidatorPower":"10","Timestamp":"2026-11-21T00:27:19.19357382Z"}}}',
    result: '{"hash":"AyBkOKPR3ncGyv4Vsdof2ClZQRfBxrFWeqw9onCIChc="}',
    error: '{"code":-32603,"message":"Internal error","data":"no evidence was provided"}',
  },
  dial_seeds: {
    uri: '{"seeds":"[\\"0000000000000000000000000000000000000000@127.0.0.1:1\\"]"}',
    json: '{"seeds":["0000000000000000000000000000000000000000@127.0.0.1:1"]}',
    result: '{"log":"Dialing seeds in progress. See /net_info for details"}',
    error: '{"code":-32603,"message":"Internal error","data":"no seeds provided"}',
  },
  dial_peers: {
    uri: '{"peers":"[\\"0000000000000000000000000000000000000000@127.0.0.1:1\\"]","persistent":"false","unconditional":"false","private":"false"}',
    json: '{"peers":["0000000000000000000000000000000000000000@127.0.0.1:1"],"persistent":false,"unconditional":false,"private":false}',
    result: '{"log":"Dialing peers in progress. See /net_info for details"}',
    error: '{"code":-32603,"message":"Internal error","data":"no peers provided"}',
  },
  unsafe_flush_mempool: {
    result: '{}',
    error:
      '{"code":-32603,"message":"Internal error","data":"error converting json params to arguments: expected 0 parameters ([]), got 1 ([[34 120 34]])"}',
  },
}
