import { render } from 'preact'
import { App } from './app.tsx'
import { watchDevnet } from './devnet/node.ts'
import { startChain } from './live/chain.ts'
import '@org/ui/theme'
import { continueVerification } from './verify/verification.ts'

startChain()
watchDevnet()
continueVerification()
render(<App />, document.getElementById('app') as HTMLElement)
