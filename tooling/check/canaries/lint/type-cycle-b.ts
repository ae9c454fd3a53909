import type { A } from './type-cycle-a.ts'

export interface B {
  readonly a: A | undefined
}
