export {
  createLightStateProvider,
  type LightStateModules,
  type LightStateOptions,
  type StateServer,
} from './light-state-provider.ts'
