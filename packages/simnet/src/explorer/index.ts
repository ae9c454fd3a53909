export { type Exploration, type ExploreOptions, explore, type Violation } from './explore.ts'
