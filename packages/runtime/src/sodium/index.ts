export { loadedSodium, loadSodium, type Sodium, sodiumPath } from './sodium.ts'
