# find_package(utflane): the targets utflane::utflane (the shared library) and utflane::static.
# Lies in <prefix>/share/cmake/utflane; the paths are found from there, so that the prefix may be moved.

get_filename_component(_utflane_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_utflane_suffixes lib lib64)
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(PREPEND _utflane_suffixes "lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()
foreach(_utflane_kind utflane static)
  if(_utflane_kind STREQUAL "static")
    set(_utflane_file "${CMAKE_STATIC_LIBRARY_PREFIX}utflane${CMAKE_STATIC_LIBRARY_SUFFIX}")
  else()
    set(_utflane_file "${CMAKE_SHARED_LIBRARY_PREFIX}utflane${CMAKE_SHARED_LIBRARY_SUFFIX}")
  endif()
  find_library(UTFLANE_LIBRARY_${_utflane_kind} NAMES "${_utflane_file}" PATHS "${_utflane_prefix}"
    PATH_SUFFIXES ${_utflane_suffixes} NO_DEFAULT_PATH)
  mark_as_advanced(UTFLANE_LIBRARY_${_utflane_kind})
  if(UTFLANE_LIBRARY_${_utflane_kind} AND NOT TARGET utflane::${_utflane_kind})
    add_library(utflane::${_utflane_kind} UNKNOWN IMPORTED)
    set_target_properties(utflane::${_utflane_kind} PROPERTIES
      IMPORTED_LOCATION "${UTFLANE_LIBRARY_${_utflane_kind}}"
      INTERFACE_INCLUDE_DIRECTORIES "${_utflane_prefix}/include")
  endif()
endforeach()
if(UNIX AND TARGET utflane::static)
  # What Rust's standard library needs of the system.
  set_target_properties(utflane::static PROPERTIES INTERFACE_LINK_LIBRARIES "gcc_s;pthread;m;dl")
endif()
if(NOT TARGET utflane::utflane AND NOT TARGET utflane::static)
  set(utflane_FOUND FALSE)
  set(utflane_NOT_FOUND_MESSAGE "no library utflane under ${_utflane_prefix}")
endif()
