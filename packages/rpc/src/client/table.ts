/*
 * Generated from the route table and the schemas of `@org/types`. To write it again:
 * `vitest run packages/rpc/test/client-table.test.ts -u`.
 *
 * A shape describes an object as a list of members. A member is written as `key=name:form`:
 * - `key` is the key of the member in a value of the client.
 * - `name` is the name of the member in JSON. In the short form `key:form`, the name is the key in snake case.
 * - `form` describes the value of the member.
 *
 * A form is the name of a shape, or one of these characters:
 * - `s`: a text.
 * - `b`: a boolean.
 * - `i`: an int32.
 * - `u`: a uint32.
 * - `n`: an integer that is a text in JSON, and a number in the client.
 * - `I`: an int64 that is a text in JSON, and a bigint in the client.
 * - `U`: the same for a uint64.
 * - `t`: a time.
 * - `x`: bytes as hex.
 * - `B`: bytes as base64.
 * - `j`: any JSON.
 * - `G`: any JSON, which is a text in the client.
 * - `K`: a public key as JSON with its type.
 * - `P`: a public key in the JSON of the protobuf message `PublicKey`.
 * - `+`: the sum of the voting powers of a set of validators. JSON has no member for it, so the client calculates it.
 *
 * A mark may follow the form:
 * - `[]`: the value is a list.
 * - `?`: the value may be absent, and is then `undefined`.
 * - `!`: the value must be present.
 *
 * If a value without a mark is absent, the client uses the zero value of the form.
 *
 * If a shape begins with `|`, an object has exactly one of the members. In JSON, this object has the members `type`
 * and `value`: `type` is the name of the one member, and `value` is its value.
 */

/**
 * The parameters and the result of each operation. If an entry names no result, the shape of the result has the name of
 * the operation.
 */
export const METHODS: Readonly<Record<string, readonly [params?: string, result?: string]>> = {
  health: [],
  status: [],
  net_info: [],
  blockchain: ['minHeight=minHeight:n maxHeight=maxHeight:n'],
  genesis: [],
  genesis_chunked: ['chunk:n'],
  block: ['height:n'],
  block_by_hash: ['hash:B', 'block'],
  block_results: ['height:n'],
  commit: ['height:n', 'commit?'],
  header: ['height:n'],
  header_by_hash: ['hash:x', 'header'],
  check_tx: ['tx:B', 'ExecTxResult'],
  tx: ['hash:B prove:b'],
  tx_search: ['query:s prove:b page:n perPage:n orderBy:s'],
  block_search: ['query:s page:n perPage:n orderBy:s'],
  validators: ['height:n page:n perPage:n'],
  dump_consensus_state: [],
  consensus_state: [],
  consensus_params: ['height:n'],
  unconfirmed_txs: ['limit:n'],
  num_unconfirmed_txs: ['', 'unconfirmed_txs'],
  broadcast_tx_commit: ['tx:B'],
  broadcast_tx_sync: ['tx:B'],
  broadcast_tx_async: ['tx:B', 'broadcast_tx_sync'],
  abci_query: ['path:s data:x height:n prove:b'],
  abci_info: [],
  broadcast_evidence: ['evidence:Evidence'],
  dial_seeds: ['seeds:s[]'],
  dial_peers: ['peers:s[] persistent:b unconditional:b private:b', 'dial_seeds'],
  unsafe_flush_mempool: ['', 'health'],
}

export const SHAPES: Readonly<Record<string, string>> = {
  health: '',
  'status.nodeInfo.protocolVersion': 'p2p:I! block:I! app:I!',
  'status.nodeInfo.other': 'txIndex:s! rpcAddress:s!',
  'status.nodeInfo':
    'protocolVersion:status.nodeInfo.protocolVersion! id:s! listenAddr:s! network:s! version:s! channels:x! moniker:s! other:status.nodeInfo.other!',
  'status.syncInfo':
    'latestBlockHash:x! latestAppHash:x! latestBlockHeight:n! latestBlockTime:t! earliestBlockHash:x! earliestAppHash:x! earliestBlockHeight:n! earliestBlockTime:t! catchingUp:b!',
  'status.validatorInfo': 'address:x! pubKey:K votingPower:I!',
  status: 'nodeInfo:status.nodeInfo! syncInfo:status.syncInfo! validatorInfo:status.validatorInfo!',
  'net_info.peers': 'nodeInfo:status.nodeInfo! isOutbound:b! connectionStatus:j remoteIp:s!',
  net_info: 'listening:b! listeners:s[] nPeers:n! peers:net_info.peers[]',
  PartSetHeader: 'total:u hash:x',
  BlockID: 'hash:x partSetHeader=parts:PartSetHeader',
  Consensus: 'block:U app:U',
  Header:
    'version:Consensus chainId:s height:n time:t lastBlockId:BlockID lastCommitHash:x dataHash:x validatorsHash:x nextValidatorsHash:x consensusHash:x appHash:x lastResultsHash:x evidenceHash:x proposerAddress:x',
  BlockMeta: 'blockId:BlockID blockSize:n header:Header numTxs:n',
  blockchain: 'lastHeight:n! blockMetas:BlockMeta?[]',
  genesis: 'genesis:G!',
  genesis_chunked: 'chunk:n! total:n! data:s!',
  Data: 'txs:B[]',
  Vote: 'type:i height:n round:i blockId:BlockID timestamp:t validatorAddress:x validatorIndex:i signature:B extension:B extensionSignature:B',
  DuplicateVoteEvidence:
    'voteA:Vote? voteB:Vote? totalVotingPower=TotalVotingPower:I validatorPower=ValidatorPower:I timestamp=Timestamp:t',
  CommitSig: 'blockIdFlag:i validatorAddress:x timestamp:t signature:B',
  Commit: 'height:n round:i blockId:BlockID signatures:CommitSig[]',
  SignedHeader: 'header:Header? commit:Commit?',
  Validator: 'address:x pubKey:K votingPower:I proposerPriority:I',
  ValidatorSet: 'validators:Validator[] proposer:Validator? totalVotingPower:+',
  LightBlock: 'signedHeader:SignedHeader? validatorSet:ValidatorSet?',
  LightClientAttackEvidence:
    'conflictingBlock=ConflictingBlock:LightBlock? commonHeight=CommonHeight:n byzantineValidators=ByzantineValidators:Validator[] totalVotingPower=TotalVotingPower:I timestamp=Timestamp:t',
  Evidence:
    '|duplicateVoteEvidence=tendermint/DuplicateVoteEvidence:DuplicateVoteEvidence lightClientAttackEvidence=tendermint/LightClientAttackEvidence:LightClientAttackEvidence',
  EvidenceList: 'evidence:Evidence[]',
  Block: 'header:Header data:Data evidence:EvidenceList lastCommit:Commit?',
  block: 'blockId:BlockID! block:Block?',
  EventAttribute: 'key:s value:s index:b',
  Event: 'type:s attributes:EventAttribute[]',
  ExecTxResult: 'code:u data:B log:s info:s gasWanted:I gasUsed:I events:Event[] codespace:s',
  ValidatorUpdate: 'pubKey:P power:I',
  BlockParams: 'maxBytes:I maxGas:I',
  EvidenceParams: 'maxAgeNumBlocks:I maxAgeDuration:I maxBytes:I',
  ValidatorParams: 'pubKeyTypes:s[]',
  VersionParams: 'app:U',
  ABCIParams: 'voteExtensionsEnableHeight:n',
  ConsensusParams:
    'block:BlockParams? evidence:EvidenceParams? validator:ValidatorParams? version:VersionParams? abci:ABCIParams?',
  block_results:
    'height:n! txsResults:ExecTxResult[] finalizeBlockEvents:Event[] validatorUpdates:ValidatorUpdate[] consensusParamUpdates:ConsensusParams? appHash:B',
  commit: 'signedHeader:SignedHeader! canonical:b!',
  header: 'header:Header?',
  Proof: 'total:n index:n leafHash:B aunts:B[]',
  TxProof: 'rootHash:x data:B proof:Proof',
  tx: 'hash:x! height:n! index:u! txResult:ExecTxResult! tx:B proof:TxProof?',
  tx_search: 'txs:tx[] totalCount:n!',
  block_search: 'blocks:block[] totalCount:n!',
  validators: 'blockHeight:n! validators:Validator[] count:n! total:n!',
  'dump_consensus_state.peers': 'nodeAddress:s! peerState:j',
  dump_consensus_state: 'roundState:j peers:dump_consensus_state.peers[]',
  consensus_state: 'roundState:j',
  ConsensusParams2:
    'block:BlockParams evidence:EvidenceParams validator:ValidatorParams version:VersionParams abci:ABCIParams',
  consensus_params: 'blockHeight:n! consensusParams:ConsensusParams2!',
  unconfirmed_txs: 'nTxs:n! total:n! totalBytes:n! txs:B[]',
  broadcast_tx_commit: 'checkTx:ExecTxResult! txResult:ExecTxResult! hash:x! height:n!',
  broadcast_tx_sync: 'code:u! data:x! log:s! codespace:s! hash:x!',
  ProofOp: 'type:s key:B data:B',
  ProofOps: 'ops:ProofOp[]',
  ResponseQuery: 'code:u log:s info:s index:n key:B value:B proofOps=proofOps:ProofOps? height:n codespace:s',
  abci_query: 'response:ResponseQuery!',
  ResponseInfo: 'data:s version:s appVersion:U lastBlockHeight:n lastBlockAppHash:B',
  abci_info: 'response:ResponseInfo!',
  broadcast_evidence: 'hash:B',
  dial_seeds: 'log:s!',
}
