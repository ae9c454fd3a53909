/** An error that has no code, so only its text tells it apart from others. */
export function refuse(): never {
  throw new Error('this value is refused') // planted
}

export function misuse(value: unknown): void {
  if (typeof value !== 'string') throw new TypeError('not a text') // planted
  if (value === '') throw RangeError('an empty text') // planted
}

export const late = (): Promise<never> => Promise.reject(new Error('too late')) // planted

export function never(): Promise<never> {
  return new Promise((_, reject) => {
    reject(new Error('never')) // planted
  })
}

export function later(): never {
  const error = new Error('thrown through a variable') // planted
  throw error
}

export function made(): Error {
  return new Error('the caller throws it') // planted
}

export const maker = (): Error => new RangeError('the caller throws it') // planted

/** Permitted: the error is only the reason with which a signal ends. */
export const end = (controller: AbortController): void => controller.abort(new Error('the caller has gone'))

/** Permitted: converts any thrown value to an error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Permitted: only the stack of the error is used. */
export function place(): string | undefined {
  const { stack } = new Error()
  return stack
}

/** Permitted: the error receives a code, as an error of a file system has one. */
export const missing = (): Error => Object.assign(new Error('no such file'), { code: 'ENOENT' })

/** Permitted: each error of this class has a code. */
export class CodedFault extends Error {
  readonly code = 'FAULT'
}

export function coded(): never {
  throw new CodedFault('coded')
}
