/** An entry of the call stack for a function in a file of the application. */
export interface Frame {
  readonly name: string
  /** The address of the file, line and column: `file:///home/me/app.ts?load=1:16:23`. */
  readonly place: string
}

interface Setup {
  /**
   * A shared array with one number. The main thread increases the number while its event loop runs. A negative number
   * switches this thread off.
   */
  readonly beats: Int32Array
  readonly limitSeconds: number
}

/** A frame of the call stack in the inspector's protocol. Lines and columns begin with 0. */
interface CallFrame {
  readonly functionName: string
  readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number }
}

/**
 * The program of the watchdog thread. The main thread increases a shared number while its event loop runs. If the
 * number has not changed for the time limit, and the main thread runs code of the application, this function interrupts
 * that code. The thread gets the source text of this function, so the function must not use anything else of this file.
 */
export function watchThread(
  { parentPort, workerData }: typeof import('node:worker_threads'),
  { Session }: typeof import('node:inspector'),
): void {
  const { beats, limitSeconds } = workerData as Setup
  let last = 0
  let silentSeconds = 0
  const ownPlace = /[?&]load=\d+$/

  function interrupt(): void {
    const session = new Session()
    session.connectToMainThread()
    const addresses = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }) => addresses.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params }) => {
      const frames = (params.callFrames as readonly CallFrame[]).flatMap(({ functionName, location }) => {
        const address = addresses.get(location.scriptId) ?? ''
        if (!ownPlace.test(address)) return []
        return [
          { name: functionName, place: `${address}:${location.lineNumber + 1}:${location.columnNumber + 1}` },
        ] satisfies Frame[]
      })
      // The list `frames` contains only stack frames of the application. If the list is empty, the main thread runs
      // other code, which must not be interrupted.
      if (frames.length > 0) {
        session.post('Runtime.terminateExecution')
        parentPort?.postMessage(frames)
      }
      session.post('Debugger.resume')
      session.post('Debugger.disable', () => session.disconnect())
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  }

  // This thread counts its own ticks. A clock would also count the time in which the computer is asleep and no thread
  // runs.
  // oxlint-disable-next-line no-restricted-globals -- a thread has no Clock, and no decision sees this time
  setInterval(() => {
    const now = Atomics.load(beats, 0)
    silentSeconds = now === last && now >= 0 ? silentSeconds + 1 : 0
    last = now
    if (silentSeconds < limitSeconds) return
    silentSeconds = 0
    interrupt()
  }, 1000)
}
