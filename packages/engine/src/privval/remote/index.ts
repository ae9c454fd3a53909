export { type ListenModules, type ListenOptions, listenForSigners, type SignerListener } from './listen.ts'
export { DEFAULT_REMOTE_SIGNER_OPTIONS, type RemoteSignerOptions } from './options.ts'
export { createRemoteSigner, type RemoteSignerModules } from './remote-signer.ts'
export { createSignerLink, type SignerLink } from './signer-link.ts'
