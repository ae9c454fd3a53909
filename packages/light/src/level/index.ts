export {
  type LevelLightStore,
  type LevelLightStoreOptions,
  openLevelLightStore,
  type SavedProviders,
} from './level-store.ts'
