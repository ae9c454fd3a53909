import { render } from 'preact'
import { App } from './app.tsx'
import { startChain } from './live/chain.ts'
import { findDevnet } from './live/devnet.ts'
import './live/theme.ts'

startChain()
void findDevnet()
render(<App />, document.getElementById('app') as HTMLElement)
