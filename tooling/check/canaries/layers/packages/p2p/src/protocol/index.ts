import '../switch/index.ts'

export const planted = 'a protocol that uses the switch'
