export { catalogVersions } from './catalog.ts'
export { foldersWithEntries, publishedFolders } from './published-packages.ts'
