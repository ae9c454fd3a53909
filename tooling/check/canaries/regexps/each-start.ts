export const trim = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '')
