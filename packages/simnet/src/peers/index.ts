export { createHub, type Hub, type Interceptor } from './hub.ts'
export { createSimSwitch, type Meeting } from './sim-switch.ts'
export { FAST_WIRE, type Parcel, type WireOptions } from './wire.ts'
