import '@org/engine'

export const planted = 'a clock that uses the engine'
