export { createHub, type Hub } from './hub.ts'
export { createSimSwitch, type Meeting } from './sim-switch.ts'
export type { Interceptor } from './station.ts'
export { FAST_WIRE, type Parcel, type WireOptions } from './wire.ts'
