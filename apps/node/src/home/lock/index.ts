export {
  checkFolderUnused,
  checkHomeUnused,
  type HomeLock,
  LIGHT_DATABASE,
  lockHome,
  lockLightHome,
} from './lock-home.ts'
