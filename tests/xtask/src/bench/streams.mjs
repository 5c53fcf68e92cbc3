// memfs has streams of files, which nobody opens here.
export class Readable {}
export class Writable {}
