export { createHeaderServer } from './header-server.ts'
export {
  createLightStateProvider,
  type LightStateModules,
  type LightStateOptions,
  type StateServer,
} from './light-state-provider.ts'
