console.log('halley', process.version, process.argv.slice(2))
