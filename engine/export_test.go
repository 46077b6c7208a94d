package engine

// LargeThread is from which size on a thread is checked piece by piece.
var LargeThread = &largeThread
