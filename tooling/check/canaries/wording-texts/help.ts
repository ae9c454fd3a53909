export const HELP = `
Makes a home. Who has one uses that.
`
