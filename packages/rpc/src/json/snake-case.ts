/** Converts a name from camel case to the snake case of JSON members: `blockId` becomes `block_id`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
