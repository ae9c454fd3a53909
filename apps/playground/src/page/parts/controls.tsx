import { createSystemRandom } from '@org/runtime'
import { MAX_SEED, MAX_VALIDATORS, MIN_VALIDATORS } from '../../session/setup.ts'
import {
  begin,
  FASTEST,
  isPlaying,
  isSeeking,
  now,
  reached,
  restart,
  run,
  SLOWEST,
  setPlaying,
  setSpeed,
  speed,
  step,
} from '../live/run.ts'
import { openFreely } from '../live/scenario.ts'
import { speedText, timeText } from '../words.ts'

/** Returns the place of a speed on the slider, which has a logarithmic scale. */
const toSlider = (value: number): number => (100 * Math.log(value / SLOWEST)) / Math.log(FASTEST / SLOWEST)
const fromSlider = (place: number): number => SLOWEST * (FASTEST / SLOWEST) ** (place / 100)
/** The page shows that the computer is too slow if the speed is below this share of the wanted speed. */
const TOO_SLOW = 0.7

/** Shows the buttons for play and single steps, the speed, and the virtual clock. */
export function TimeControls() {
  const playing = isPlaying.value
  const isSlow = playing && reached.value > 0 && reached.value < speed.value * TOO_SLOW
  return (
    <fieldset class="controls" aria-label="Time">
      <button
        type="button"
        class="play"
        onClick={() => setPlaying(!playing)}
        aria-label={playing ? 'Pause' : 'Play'}
        title="Space"
      >
        <span aria-hidden="true">{playing ? '❚❚' : '▶'}</span>
      </button>
      <button type="button" onClick={() => step('message')} title="Continue until the next message arrives (.)">
        Next message
      </button>
      <button
        type="button"
        onClick={() => step('event')}
        title="Continue until the next event: a message, a timer or a write to disk (,)"
      >
        Next event
      </button>
      <button type="button" onClick={restart} title="Begin the same run again (r)">
        From the beginning
      </button>
      <label class="speed">
        <span>Speed</span>
        <input
          type="range"
          min="0"
          max="100"
          step="0.5"
          value={toSlider(speed.value)}
          aria-valuetext={speedText(speed.value)}
          onInput={(event) => setSpeed(fromSlider(Number(event.currentTarget.value)))}
        />
        <output>{speedText(speed.value)}</output>
      </label>
      <p class="clock" aria-live="off">
        {isSeeking.value ? 'running up to this moment …' : timeText(now.value)}
        {isSlow && <span class="slow"> this machine reaches only {speedText(reached.value)}</span>}
      </p>
    </fieldset>
  )
}

/** Shows the controls of the network: its seed and the number of its validators. */
export function NetworkControls() {
  const current = run.value
  if (current === undefined) return null
  const { seed, validators } = current.setup
  const change = (changes: { readonly seed?: number; readonly validators?: number }): void =>
    openFreely({ ...current.setup, powers: [], ...changes })
  return (
    <fieldset class="controls" aria-label="Network">
      <label>
        <span>Validators</span>
        <input
          type="range"
          min={MIN_VALIDATORS}
          max={MAX_VALIDATORS}
          value={validators}
          onChange={(event) => change({ validators: Number(event.currentTarget.value) })}
        />
        <output>{validators}</output>
      </label>
      <label>
        <span>Seed</span>
        <input
          type="number"
          min="0"
          max={MAX_SEED}
          value={seed}
          onChange={(event) => {
            const wanted = Math.trunc(Number(event.currentTarget.value))
            if (wanted >= 0 && wanted <= MAX_SEED) change({ seed: wanted })
          }}
        />
      </label>
      <button
        type="button"
        onClick={() => change({ seed: createSystemRandom().below(MAX_SEED) })}
        title="Another network (n)"
      >
        Another seed
      </button>
      <button
        type="button"
        onClick={() => begin({ ...current, actions: [], until: 0 })}
        title="The same network, without your actions"
      >
        Forget all actions
      </button>
    </fieldset>
  )
}
