export const ENGINE = 'packages/engine/src'
export const P2P = 'packages/p2p/src'
export const machine = (file: string): string => `${ENGINE}/consensus/machine/${file}`
export const driver = (file: string): string => `${ENGINE}/consensus/driver/${file}`
export const execution = (file: string): string => `${ENGINE}/execution/${file}`
