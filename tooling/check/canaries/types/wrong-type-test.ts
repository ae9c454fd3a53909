import { expectTypeOf } from 'vitest'

expectTypeOf<{ readonly height: number }>().toEqualTypeOf<{ readonly height: bigint }>()
