export { type Preparing, preparingPorts, preparingRoutes } from './preparing.ts'
