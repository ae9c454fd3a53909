import { switchTheme, theme } from '@org/ui/theme'
import { chosenNode } from './live/choice.ts'
import { failure, run } from './live/run.ts'
import { notice, scenario } from './live/scenario.ts'
import { Chain } from './parts/chain.tsx'
import { NetworkControls, TimeControls } from './parts/controls.tsx'
import { Help, openHelp } from './parts/help.tsx'
import { Legend } from './parts/legend.tsx'
import { Log } from './parts/log.tsx'
import { NodePanel } from './parts/node-panel.tsx'
import { ScenarioList, ScenarioPanel } from './parts/scenario-panel.tsx'
import { Share } from './parts/share.tsx'
import { Timeline } from './parts/timeline.tsx'
import { Violations } from './parts/violations.tsx'
import { Stage } from './stage/stage.tsx'

function Header() {
  return (
    <header>
      <h1>
        Halley <span>playground</span>
      </h1>
      <p class="dim">A network of real consensus nodes in this page</p>
      <Share />
      <button type="button" onClick={switchTheme} title="Colours (t)">
        {theme.value === 'system' ? 'Auto' : theme.value === 'light' ? 'Light' : 'Dark'}
      </button>
      <button type="button" aria-label="Help" title="Help (?)" onClick={openHelp}>
        ?
      </button>
    </header>
  )
}

export function App() {
  return (
    <>
      <Header />
      {notice.value !== '' && (
        <p class="notice" role="status">
          {notice.value}
        </p>
      )}
      {failure.value !== undefined && (
        <p class="violations" role="alert">
          The simulation has stopped: {failure.value}. Begin the run again, or open another network.
        </p>
      )}
      <Violations />
      <main>
        <div class="side">
          <ScenarioList />
          <Legend />
        </div>
        <div class="middle">
          <Stage />
          <Timeline />
          <TimeControls />
          {run.value !== undefined && scenario.value === undefined && <NetworkControls />}
        </div>
        <div class="side">
          {chosenNode.value === undefined ? <ScenarioPanel /> : <NodePanel />}
          <Log />
        </div>
        <Chain />
      </main>
      <Help />
    </>
  )
}
