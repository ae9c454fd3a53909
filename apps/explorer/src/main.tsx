import { render } from 'preact'
import { App } from './app.tsx'
import { startChain } from './live/chain.ts'
import './live/theme.ts'

startChain()
render(<App />, document.getElementById('app') as HTMLElement)
