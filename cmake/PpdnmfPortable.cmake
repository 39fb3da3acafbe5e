# The target `portable`: build/portable/ppdnmf, the program's own objects linked for machines that have none of its
# libraries (docs/decisions/0054). Static is whatever Debian has archives of. The rest lies beside the program, in
# ../lib/ppdnmf, and comes from there (by RPATH: libraries of libraries are looked for there, too): libfmt and
# libcpp-httplib have no archives; libcpp-httplib needs OpenSSL, zlib and the standard library of C++, of which one process
# should not have two. HDF5's shared library would bring libcurl and all that that one needs; its archive does not.
set(portable ${CMAKE_BINARY_DIR}/portable)
set(archives grpc++ grpc gpr address_sorting upb re2 cares gmp hdf5_serial sz aec)
set(folder /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
list(TRANSFORM archives PREPEND ${folder}/lib)
list(TRANSFORM archives APPEND .a)
file(GLOB abseil ${folder}/libabsl_*.a)
get_property(rooms GLOBAL PROPERTY PPDNMF_ROOMS)
set(program $<TARGET_OBJECTS:ppdnmf> $<TARGET_OBJECTS:ppdnmf_app> $<TARGET_OBJECTS:ppdnmf_app_of_sites>)
set(room_files)
foreach(room ${rooms})
  list(APPEND room_files $<TARGET_FILE:ppdnmf_${room}>)
endforeach()
add_custom_command(OUTPUT ${portable}/ppdnmf
  COMMAND ${CMAKE_COMMAND} -E make_directory ${portable}
  COMMAND ${CMAKE_CXX_COMPILER} -O2 -o ${portable}/ppdnmf ${program}
          -Wl,--start-group ${room_files} ${archives} ${abseil} -Wl,--end-group -lcpp-httplib -lssl -lcrypto -lz -lfmt -pthread -ldl
          "-Wl,-rpath,\$ORIGIN/../lib/ppdnmf" -Wl,--disable-new-dtags,--as-needed,--gc-sections -Wl,-Map=${portable}/ppdnmf.map
  DEPENDS ppdnmf ${program} ${room_files}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(portable DEPENDS ${portable}/ppdnmf)
