export { createHub, type Hub, type Interceptor } from './hub.ts'
export { createSimSwitch } from './sim-switch.ts'
export { FAST_WIRE, type Parcel, type WireOptions } from './wire.ts'
