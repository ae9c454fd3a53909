import type { RecordedExample } from './recorded-example.ts'

/**
 * Examples, written by hand, of operations that the reference does not have. An operation is either here or in
 * `EXAMPLES`, which is made from recordings.
 */
export const OWN_EXAMPLES: Readonly<Record<string, RecordedExample>> = {
  advance_blocks: { uri: '{"num_blocks":"20"}', json: '{"num_blocks":"20"}', result: '{}' },
  advance_time: {
    uri: '{"duration_in_seconds":"3600"}',
    json: '{"duration_in_seconds":"3600"}',
    result: '{"new_time":"2026-01-02T03:04:05Z"}',
  },
  set_signing_status: {
    uri: '{"private_key_address":"\\"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10\\"","status":"\\"down\\""}',
    json: '{"private_key_address":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10","status":"down"}',
    result: '{"new_signing_status_map":{"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10":false}}',
  },
  cause_double_sign: {
    uri: '{"private_key_address":"\\"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10\\""}',
    json: '{"private_key_address":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10"}',
    result: '{}',
  },
  cause_light_client_attack: {
    uri: '{"private_key_address":"\\"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10\\"","misbehaviour_type":"\\"Lunatic\\""}',
    json: '{"private_key_address":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10","misbehaviour_type":"Lunatic"}',
    result: '{}',
  },
  dev_info: {
    result:
      '{"automine":true,"interval":"0","time":"2026-01-02T03:04:05Z","validators":[{"address":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10","power":"10","signs":true,"runs":true,"apart":false}],"delays":[],"max_delay":"2000","snapshots":[{"id":"0","height":"0"}],"held_txs":[{"hash":"57D8E3F1B8E0A2C4D6F8091A2B3C4D5E6F708192A3B4C5D6E7F8091A2B3C4D5E","size":"4","head":"YT0xMQ=="}]}',
  },
  dev_mine: {
    uri: '{"blocks":"5","interval":"1000"}',
    json: '{"blocks":"5","interval":"1000"}',
    result: '{"height":"25"}',
  },
  dev_automine: { uri: '{"enabled":"true"}', json: '{"enabled":true}', result: '{}' },
  dev_interval: { uri: '{"milliseconds":"1000"}', json: '{"milliseconds":"1000"}', result: '{}' },
  dev_setTime: {
    uri: '{"time":"\\"2026-01-02T03:04:05Z\\""}',
    json: '{"time":"2026-01-02T03:04:05Z"}',
    result: '{"new_time":"2026-01-02T03:04:05Z"}',
  },
  dev_increaseTime: {
    uri: '{"seconds":"3600"}',
    json: '{"seconds":"3600"}',
    result: '{"new_time":"2026-01-02T03:04:05Z"}',
  },
  dev_validators: {
    uri: '{"validator":"\\"new\\"","power":"20"}',
    json: '{"validator":"new","power":"20"}',
    result:
      '{"height":"23","address":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10","pub_key":{"type":"tendermint/PubKeyEd25519","value":"11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="}}',
  },
  dev_dropTx: {
    uri: '{"hash":"0x57D8E3F1B8E0A2C4D6F8091A2B3C4D5E6F708192A3B4C5D6E7F8091A2B3C4D5E"}',
    json: '{"hash":"57D8E3F1B8E0A2C4D6F8091A2B3C4D5E6F708192A3B4C5D6E7F8091A2B3C4D5E"}',
    result: '{}',
  },
  dev_holdTx: {
    uri: '{"hash":"0x57D8E3F1B8E0A2C4D6F8091A2B3C4D5E6F708192A3B4C5D6E7F8091A2B3C4D5E","held":"true"}',
    json: '{"hash":"57D8E3F1B8E0A2C4D6F8091A2B3C4D5E6F708192A3B4C5D6E7F8091A2B3C4D5E","held":true}',
    result: '{}',
  },
  dev_snapshot: { result: '{"id":"1"}' },
  dev_revert: { uri: '{"id":"\\"1\\""}', json: '{"id":"1"}', result: '{"height":"20"}' },
  dev_reset: { result: '{"height":"0"}' },
  dev_crash: {
    uri: '{"validator":"\\"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10\\""}',
    json: '{"validator":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10"}',
    result: '{}',
  },
  dev_restart: {
    uri: '{"validator":"\\"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10\\""}',
    json: '{"validator":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10"}',
    result: '{}',
  },
  dev_partition: {
    uri: '{"validators":"[\\"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10\\"]"}',
    json: '{"validators":["6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10"]}',
    result: '{}',
  },
  dev_heal: { result: '{}' },
  dev_dump: { result: '{"dump":"SEFMTEVZRE4AAAABAAAAFA=="}' },
  dev_load: {
    uri: '{"dump":"0x48414C4C4559444E0000000100000014"}',
    json: '{"dump":"SEFMTEVZRE4AAAABAAAAFA=="}',
    result: '{"height":"20"}',
  },
  dev_fork: {
    uri: '{"home":"\\"/home/me/.cometbft\\"","num_validators":"1"}',
    json: '{"home":"/home/me/.cometbft","num_validators":"1"}',
    result: '{"height":"1200"}',
  },
  dev_delay: {
    uri: '{"milliseconds":"200","from":"\\"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10\\"","to":"\\"0D1C2B3A49586776859404132231405F6E7D8C9B\\""}',
    json: '{"milliseconds":"200","from":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10","to":"0D1C2B3A49586776859404132231405F6E7D8C9B"}',
    result:
      '{"delays":[{"from":"6A9E4BC8FD9BFC5B6C4C2D2D4D0E4A0E3B1A9F10","to":"0D1C2B3A49586776859404132231405F6E7D8C9B","milliseconds":"200"}]}',
  },
}
