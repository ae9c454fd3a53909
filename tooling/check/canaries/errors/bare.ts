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

/** The reason of an abort is not thrown here. */
export const reason = new Error('the caller has gone')

/** An error with a code of its own. */
export class CodedFault extends Error {
  readonly code = 'FAULT'
}

export function coded(): never {
  throw new CodedFault('coded')
}
