/** What stands below the options of a command's help. */
export const HELP_TEXTS = {
  start: `
'halley node' and 'halley run' are the same command.
`,
  testnet: `
Makes --v validators and --n further nodes, each with its own folder of keys, configuration and the one genesis document.
Addresses need not be routable. The nodes know each other by host names, or by addresses that count up:

  halley testnet --v 4 --o ./output --populate-persistent-peers --starting-ip-address 192.168.10.2
`,
  rollback: `
For an application that executed the last block wrongly, so that its hash does not match and the chain cannot go on. The state
of the height before takes the place of the last one; roll the application back as well. The block is kept and executed again
at the next start; with --hard it is removed too. May be repeated.
`,
  reindexEvent: `
Writes the index of stored blocks again, for a node whose index was lost or off. From the first stored block to the last, unless
told otherwise. It needs the stored results of the blocks: not with discard_abci_responses = true.

  halley reindex-event
  halley reindex-event --start-height 2
  halley reindex-event --start-height 2 --end-height 10
`,
} as const
