/** Returns a name in camel case in snake case, as the members of JSON have it: `blockId` is `block_id`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
