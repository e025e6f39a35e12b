// Exports nothing: pdfjs-dist then goes on without a canvas.
module.exports = {};
