module testbed.local/stand-in

go 1.26.0
