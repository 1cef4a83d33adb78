declare module 'bcoin'
